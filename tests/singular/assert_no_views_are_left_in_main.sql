-- Every view of the warehouse stands in the schema of its folder. A helper view that a Python model leaves in main would
-- outlive the build and could shadow a name. After the models that name relations:
-- depends_on: {{ ref('int_pipeline_steps') }}, {{ ref('int_anchor_hits') }}, {{ ref('int_question_hits') }}
-- depends_on: {{ ref('int_anchor_distances') }}
select
    table_schema,
    table_name,
from information_schema.tables
where
    table_catalog = current_database()
    and table_schema = 'main'
    and table_type = 'VIEW'
