-- Computers whose traces lost events: their numbers are too small.
SELECT machine, count(*) AS traces, sum(events_lost) AS events_lost, sum(buffers_lost) AS buffers_lost
FROM trace
WHERE events_lost > 0 OR buffers_lost > 0
GROUP BY machine
ORDER BY events_lost DESC, machine;
