-- Bytes sent and received by call stack of the last network call of each operation.
SELECT code.stack_key AS stack_key, max(code.frames) AS frames, sum(moved.bytes) AS bytes, sum(moved.operations) AS operations
FROM (SELECT trace_id, last_key, sum(coalesce(sent, 0) + coalesce(received, 0)) AS bytes, count(*) AS operations
      FROM activities WHERE last_key IS NOT NULL GROUP BY trace_id, last_key) AS moved
JOIN stacks AS code ON code.trace_id = moved.trace_id AND code.stack_key = moved.last_key
GROUP BY code.stack_key
ORDER BY bytes DESC, stack_key;
