SELECT count(*)
FROM read_csv('*/*/*.csv', hive_types = {'year': INT, 'month': INT})
WHERE year = 2021 AND month = 2 AND amount > 50
