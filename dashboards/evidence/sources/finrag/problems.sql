select
    input, name, regime, reason, count(*) as problem_count, min(detail) as example
from bi_input_problems
group by all
order by problem_count desc
