-- One server over the whole fleet, operation by operation; put its name below.
SELECT start_utc, machine, process, duration_ns, failed
FROM activities
WHERE server = 'mail.example.com'
ORDER BY start_utc, machine;
