import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import { BackupError } from './manifest.ts'
import { removeLeftovers } from './staging.ts'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

/**
 * Runs `knowledge backup` in a process of its own: copying SQLite occupies a thread without a pause, and only a process
 * can be ended meanwhile.
 * @returns the path of the backup
 * @throws BackupError with the message of the command; also when the signal ended it, and then nothing is left
 */
export async function runBackup(config: Config, folder: string, signal: AbortSignal): Promise<string> {
  const { dataDir, databaseUrl, secretKey, formerSecretKeys, backup } = config
  const child = spawn(process.execPath, [MAIN, 'backup', folder], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? '',
      SECRET_KEY: secretKey ?? '',
      SECRET_KEY_FORMER: formerSecretKeys.join(','),
      BACKUP_DATABASE_URL: backup.databaseUrl ?? '',
      BACKUP_POSTGRES_BIN: backup.postgresBin ?? '',
    },
    signal,
    // Ctrl-C on a terminal is meant for the service, which then ends the backup itself.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] = (output[name] + text).slice(-8_000)))
  // `close` follows an error of the child, such as that of the signal.
  child.once('error', () => undefined)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code === 0) return output.stdout.trim()
  removeLeftovers(folder)
  const lines = output.stderr.trim().split('\n')
  const last = lines.findLast((line) => !/^\s+at /.test(line))
  throw new BackupError(last || `the backup ended with exit code ${code}`)
}
