-- A filing can arrive in several copies: in two layouts, or twice in one. One copy supplies it, whole, because two
-- copies split into sentences differently. Copies with less than half of the longest copy's text are samples and
-- yield to it. Of the others the one with text in most items wins; with as many items, the one with more text. Layouts
-- differ in their white space, so a copy with nine tenths of the longest's text (of those with as many items) has as
-- much as it; then the layout's precedence decides, then what text there is, then the file's name. Whose a filing is, and
-- of which year, is what most rows of its copy say: one row with a slip in it moves no filing.
with

filing_contents as (

    select * from {{ ref('int_filing_contents') }}

),

corpus_layouts as (

    select * from {{ ref('corpus_layouts') }}

),

companies as (

    select * from {{ ref('stg_reference__companies') }}
    where reason is null

),

stated as (

    select
        filing_id,
        source,
        copy_id,
        unnest(map_entries(statements)) as statement,
    from filing_contents

),

counted as (

    select
        filing_id,
        source,
        copy_id,
        statement.key as said,
        sum(statement.value) as row_count,
    from stated
    group by all

),

facts as (

    select
        filing_id,
        source,
        copy_id,
        first(said.cik order by row_count desc, said) filter (said.cik is not null) as cik,
        first(said.company_name order by row_count desc, said) filter (said.company_name is not null) as company_name,
        first(said.report_year order by row_count desc, said) filter (said.report_year is not null) as report_year,
        first(said.report_year_source order by row_count desc, said) filter (said.report_year_source is not null)
            as report_year_source,
        first(said.form_type order by row_count desc, said) filter (said.form_type is not null) as form_type,
        first(said.filing_date order by row_count desc, said) filter (said.filing_date is not null) as filing_date,
        first(said.period_end order by row_count desc, said) filter (said.period_end is not null) as period_end,
    from counted
    group by filing_id, source, copy_id

),

copies as (

    select
        filing_id,
        source,
        copy_id,
        min(file_path) as file_path,
        sum(char_count) as char_count,
        len(list_distinct(flatten(list(coalesce(section_ids, []))))) as item_count,
        string_agg(file_path || content_hash, ',' order by file_path) as content_hash,
    from filing_contents
    group by filing_id, source, copy_id

),

filings as (

    select
        filing_id,
        max(char_count) as longest_char_count,
        -- what the other copies hold, and where, decides which of their rows are rejected, so it belongs to the version
        md5(
            string_agg(copy_id || content_hash, ',' order by copy_id)
            -- whether the rows of its tables are written out
            || if(bool_or(source = 'edgar_html'), '{{ setting('written_rows') }}', '')
        ) as filing_version,
    from copies
    group by filing_id

),

ids as (

    select
        filing_id,
        unnest(id_hashes) as id_hash,
    from filing_contents

),

shared_ids as (

    select id_hash
    from ids
    group by id_hash
    having min(filing_id) != max(filing_id)

),

-- A sentence id is the first filing's that states it, and rejected in the others: what any of these filings holds
-- decides what is accepted of each, so they are built anew together.
filings_with_shared_ids as (

    select distinct ids.filing_id
    from ids
    inner join shared_ids
        on ids.id_hash = shared_ids.id_hash

),

shared_version as (

    select md5(string_agg(filings.filing_version, ',' order by filings.filing_id)) as shared_version
    from filings
    inner join filings_with_shared_ids
        on filings.filing_id = filings_with_shared_ids.filing_id

),

versions as (

    select
        filings.filing_id,
        filings.longest_char_count,
        case
            when filings_with_shared_ids.filing_id is not null
                then md5(concat_ws('|', filings.filing_version, shared_version.shared_version))
            else filings.filing_version
        end as filing_version,
    from filings
    left join filings_with_shared_ids
        on filings.filing_id = filings_with_shared_ids.filing_id
    cross join shared_version

),

compared_copies as (

    select
        copies.*,
        facts.* exclude (filing_id, source, copy_id),
        corpus_layouts.level,
        corpus_layouts.precedence,
        versions.filing_version,
        copies.char_count < 0.5 * versions.longest_char_count as is_sample,
        max(copies.char_count) over (
            partition by copies.filing_id, is_sample, copies.item_count
        ) as longest_of_as_many_items,
    from copies
    inner join facts
        on copies.filing_id = facts.filing_id
        and copies.source = facts.source
        and copies.copy_id = facts.copy_id
    inner join versions
        on copies.filing_id = versions.filing_id
    inner join corpus_layouts
        on copies.source = corpus_layouts.layout

),

ranked_copies as (

    select
        *,
        row_number() over (
            partition by filing_id
            order by
                is_sample,
                item_count desc,
                char_count < 0.9 * longest_of_as_many_items,
                precedence,
                char_count desc,
                copy_id
        ) as copy_rank,
    from compared_copies

),

chosen_copies as (

    select * exclude (copy_rank, content_hash, precedence, is_sample, longest_of_as_many_items)
    from ranked_copies
    where copy_rank = 1

),

-- A document that states no number has one of its company's name. Where files or the reference table state the number
-- of a company of that name it is that company's, and so are all documents with the same number made up.
spelled as (

    select
        cik,
        {{ name_letters('company_name') }} as name_letters,
    from facts

    union

    select
        cik,
        {{ name_letters('company_name') }} as name_letters,
    from companies

),

-- Of several companies of one name none is meant.
known_names as (

    select
        name_letters,
        min(cik) as cik,
    from spelled
    where not {{ is_made_up('cik') }}
    group by name_letters
    having min(cik) = max(cik)

),

known_numbers as (

    select
        spelled.cik as made_up_cik,
        min(known_names.cik) as cik,
    from spelled
    inner join known_names
        on spelled.name_letters = known_names.name_letters
    where {{ is_made_up('spelled.cik') }}
    group by spelled.cik
    having min(known_names.cik) = max(known_names.cik)

),

numbered as (

    select
        chosen_copies.* exclude (cik),
        chosen_copies.cik as stated_cik,
        coalesce(known_numbers.cik, chosen_copies.cik) as cik,
    from chosen_copies
    left join known_numbers
        on chosen_copies.cik = known_numbers.made_up_cik

),

-- EDGAR-CORPUS names no company. A name from the reference table, or a number from elsewhere, changes the filing's rows,
-- so it is in the version.
named as (

    select
        numbered.* exclude (company_name, filing_version),
        coalesce(numbered.company_name, companies.company_name) as company_name,
        case
            when numbered.company_name is null
                then md5(concat_ws('|', numbered.filing_version, companies.company_name))
            when numbered.cik != numbered.stated_cik
                then md5(concat_ws('|', numbered.filing_version, numbered.cik))
            else numbered.filing_version
        end as filing_version,
    from numbered
    left join companies
        on numbered.cik = companies.cik

)

select * from named
