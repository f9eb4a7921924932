-- DuckDB: views of the tables that "netstitch-cli extract --to fleet" wrote.  Run it in the parent of "fleet":
--   cat duckdb.sql queries/slowest-servers.sql | duckdb
CREATE VIEW activities AS SELECT * FROM read_parquet('fleet/activities/**/*.parquet', hive_partitioning = true, hive_types = {'day': VARCHAR});
CREATE VIEW dns AS SELECT * FROM read_parquet('fleet/dns/**/*.parquet', hive_partitioning = true, hive_types = {'day': VARCHAR});
CREATE VIEW tcp AS SELECT *, rtrim(ip, '0123456789') AS net FROM read_parquet('fleet/tcp/**/*.parquet', hive_partitioning = true, hive_types = {'day': VARCHAR});
CREATE VIEW trace AS SELECT * FROM read_parquet('fleet/trace/**/*.parquet', hive_partitioning = true, hive_types = {'day': VARCHAR});
CREATE VIEW stacks AS SELECT * FROM read_parquet('fleet/stacks/**/*.parquet', hive_partitioning = true, hive_types = {'day': VARCHAR});
