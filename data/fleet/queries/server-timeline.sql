-- All operations with one server on all computers, in order of time; put the name of the server below.
SELECT start_utc, machine, process, duration_ns, failed
FROM activities
WHERE server = 'mail.example.com'
ORDER BY start_utc, machine;
