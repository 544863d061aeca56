-- What a question calls a company. Registers write names in capitals and cut them short ("MICROSOFT CORP", "WALT DISNEY
-- CO/"); the company's own sentences have them as people read them ("Microsoft Corporation"). Taken is the form that
-- the company's sentences use most, if not all in capitals, and of those rather one with the legal form; without any,
-- the register's name with its capitals lowered.
with

companies as (

    select * from {{ ref('dim_companies') }}

),

-- The opening sentences of an item introduce the company; later ones say "we".
sentences as (

    select
        cik,
        sentence_text,
        lower(sentence_text) as lower_text,
    from {{ ref('fct_sentences') }}
    where sentence_pos < 50

),

registered as (

    select
        cik,
        company_name,
        -- the state or the suffix that registers add: "CORP /NEW", "CORP \WA\"
        trim(regexp_replace(company_name, '(?:\s+[/\\].*|[/\\](?:[A-Z]{2,3}[/\\]?)?\s*)$', '')) as plain_name,
        {{ core_company_name('company_name') }} as core_name,
    from companies

),

patterns as (

    select
        *,
        lower(regexp_extract(core_name, '^[\pL\pN]+')) as first_word,
        len(regexp_extract_all(core_name, '[\pL\pN]+')) as word_count,
        lower(regexp_replace(core_name, '[^\pL\pN]', '', 'g')) as bare_name,
    from registered

),

snippets as (

    select
        patterns.cik,
        patterns.bare_name,
        patterns.word_count,
        substr(sentences.sentence_text, strpos(sentences.lower_text, patterns.first_word), 120) as snippet,
    from patterns
    inner join sentences
        on patterns.cik = sentences.cik
        and contains(sentences.lower_text, patterns.first_word)

),

-- Constant patterns, one per number of words: DuckDB compiles a pattern that comes from a column anew for every row.
mentions as (

    select
        cik,
        bare_name,
        snippet,
        case word_count
            {%- for further_words in range(8) %}
                when {{ further_words + 1 }}
                    then regexp_extract(
                            snippet, '^[\pL\pN]+(?:(?:[^\pL\pN]{1,3}'
                            || '| and )[\pL\pN]+){{ '{' ~ further_words ~ '}' }}'
                        )
            {%- endfor %}
        end as mentioned_name,
    from snippets

),

named as (

    select
        cik,
        mentioned_name
        || regexp_extract(substr(snippet, len(mentioned_name) + 1), '^(?i:(?:,? (?:and |& )?{{ legal_form() }})*)')
            as written_name,
    from mentions
    where lower(regexp_replace(mentioned_name, '[^\pL\pN]|\band\b', '', 'g')) = bare_name

),

counted as (

    select
        cik,
        written_name,
        count(*) as mention_count,
    from named
    where
        written_name != upper(written_name)
        and regexp_matches(written_name, '^[\p{Lu}\p{N}]')
    group by cik, written_name

),

preferred as (

    select
        cik,
        written_name,
    from counted
    qualify row_number() over (
            partition by cik
            order by
                mention_count >= 2 desc,
                regexp_matches(written_name, '(?i)(?:^| ){{ legal_form() }}$') desc,
                mention_count desc,
                written_name asc
        ) = 1

),

final as (

    select
        patterns.cik,
        patterns.company_name,
        coalesce(
            preferred.written_name,
            array_to_string(list_transform(
                string_split(patterns.plain_name, ' '),
                lambda word: case
                    when word in ('OF', 'AND', 'THE') then lower(word)
                    when word = upper(word) and regexp_matches(word, '^(?:INC|CORP|CO|LTD)[.,]*$|^.{4}')
                        then upper(word[1]) || lower(word[2:])
                    else word
                end
            ), ' ')
        ) as question_name,
    from patterns
    left join preferred
        on patterns.cik = preferred.cik

)

select * from final
