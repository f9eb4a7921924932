-- DuckDB: views of the tables that "netstitch-cli extract --to fleet" wrote.  Run it in the parent of "fleet":
--   cat duckdb.sql queries/slowest-servers.sql | duckdb
-- The column "day" is the day of the row in UTC, not that in the path, which is the day of the start of the trace.
CREATE VIEW activities AS SELECT *, CAST(make_timestamp(epoch_us(start_utc))::DATE AS VARCHAR) AS day FROM read_parquet('fleet/activities/**/*.parquet', hive_partitioning = false);
CREATE VIEW dns AS SELECT *, CAST(make_timestamp(epoch_us(start_utc))::DATE AS VARCHAR) AS day FROM read_parquet('fleet/dns/**/*.parquet', hive_partitioning = false);
CREATE VIEW tcp AS SELECT *, CAST(make_timestamp(epoch_us(start_utc))::DATE AS VARCHAR) AS day, rtrim(ip, '0123456789') AS net FROM read_parquet('fleet/tcp/**/*.parquet', hive_partitioning = false);
CREATE VIEW trace AS SELECT *, CAST(make_timestamp(epoch_us(start_utc))::DATE AS VARCHAR) AS day FROM read_parquet('fleet/trace/**/*.parquet', hive_partitioning = false);
CREATE VIEW stacks AS SELECT *, CAST(make_timestamp(epoch_us(start_utc))::DATE AS VARCHAR) AS day FROM read_parquet('fleet/stacks/**/*.parquet', hive_partitioning = false);
