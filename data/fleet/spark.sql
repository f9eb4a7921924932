-- Spark SQL: views of the tables that "netstitch-cli extract --to fleet" wrote.  Run it in the parent of "fleet":
--   cat spark.sql queries/slowest-servers.sql > run.sql; spark-sql -f run.sql
-- Spark has no type for timestamps in nanoseconds: without this setting it rejects the files.
SET spark.sql.legacy.parquet.nanosAsLong = true;
-- The column "day" is the day of the row in UTC, not that in the path, which is the day of the start of the trace:
-- recursiveFileLookup does not read it. The type of start_utc is BIGINT, nanoseconds since 1970.
CREATE OR REPLACE TEMPORARY VIEW activities_all USING parquet OPTIONS (path 'fleet/activities', recursiveFileLookup 'true');
CREATE OR REPLACE TEMPORARY VIEW dns_all USING parquet OPTIONS (path 'fleet/dns', recursiveFileLookup 'true');
CREATE OR REPLACE TEMPORARY VIEW tcp_all USING parquet OPTIONS (path 'fleet/tcp', recursiveFileLookup 'true');
CREATE OR REPLACE TEMPORARY VIEW trace_all USING parquet OPTIONS (path 'fleet/trace', recursiveFileLookup 'true');
CREATE OR REPLACE TEMPORARY VIEW stacks_all USING parquet OPTIONS (path 'fleet/stacks', recursiveFileLookup 'true');
CREATE OR REPLACE TEMPORARY VIEW activities AS SELECT *, CAST(date_add(DATE '1970-01-01', CAST(start_utc DIV 86400000000000 AS INT)) AS STRING) AS day FROM activities_all;
CREATE OR REPLACE TEMPORARY VIEW dns AS SELECT *, CAST(date_add(DATE '1970-01-01', CAST(start_utc DIV 86400000000000 AS INT)) AS STRING) AS day FROM dns_all;
CREATE OR REPLACE TEMPORARY VIEW tcp AS SELECT *, CAST(date_add(DATE '1970-01-01', CAST(start_utc DIV 86400000000000 AS INT)) AS STRING) AS day, trim(TRAILING '0123456789' FROM ip) AS net FROM tcp_all;
CREATE OR REPLACE TEMPORARY VIEW trace AS SELECT *, CAST(date_add(DATE '1970-01-01', CAST(start_utc DIV 86400000000000 AS INT)) AS STRING) AS day FROM trace_all;
CREATE OR REPLACE TEMPORARY VIEW stacks AS SELECT *, CAST(date_add(DATE '1970-01-01', CAST(start_utc DIV 86400000000000 AS INT)) AS STRING) AS day FROM stacks_all;
