-- Spark SQL: views of the tables that "netstitch-cli extract --to fleet" wrote.  Run it in the parent of "fleet":
--   cat spark.sql queries/slowest-servers.sql > run.sql; spark-sql -f run.sql
-- Spark has no type for timestamps in nanoseconds: without this setting it rejects the files.
SET spark.sql.legacy.parquet.nanosAsLong = true;
CREATE OR REPLACE TEMPORARY VIEW activities_all USING parquet OPTIONS (path 'fleet/activities');
CREATE OR REPLACE TEMPORARY VIEW dns_all USING parquet OPTIONS (path 'fleet/dns');
CREATE OR REPLACE TEMPORARY VIEW tcp_all USING parquet OPTIONS (path 'fleet/tcp');
CREATE OR REPLACE TEMPORARY VIEW trace_all USING parquet OPTIONS (path 'fleet/trace');
CREATE OR REPLACE TEMPORARY VIEW stacks_all USING parquet OPTIONS (path 'fleet/stacks');
CREATE OR REPLACE TEMPORARY VIEW activities AS SELECT * FROM activities_all;
CREATE OR REPLACE TEMPORARY VIEW dns AS SELECT * FROM dns_all;
CREATE OR REPLACE TEMPORARY VIEW tcp AS SELECT *, trim(TRAILING '0123456789' FROM ip) AS net FROM tcp_all;
CREATE OR REPLACE TEMPORARY VIEW trace AS SELECT * FROM trace_all;
CREATE OR REPLACE TEMPORARY VIEW stacks AS SELECT * FROM stacks_all;
