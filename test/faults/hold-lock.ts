// Run as a process of its own: holds the write lock of a SQLite database until its standard input ends.
import BetterSqlite from 'better-sqlite3'

const connection = new BetterSqlite(process.argv[2])
connection.exec('begin exclusive')
process.stdout.write('held\n')
process.stdin.resume().on('end', () => {
  connection.exec('rollback')
  connection.close()
})
