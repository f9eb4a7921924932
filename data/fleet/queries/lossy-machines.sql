-- Computers whose traces lost events, so that other queries count too few rows of them.
SELECT machine, count(*) AS traces, sum(t.events_lost) AS events_lost, sum(t.buffers_lost) AS buffers_lost
FROM trace AS t
WHERE t.events_lost > 0 OR t.buffers_lost > 0
GROUP BY machine
ORDER BY events_lost DESC, machine;
