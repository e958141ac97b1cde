import { readSetting } from '../../identity/tenants/settings.ts'
import { UsageError } from './failure.ts'

/**
 * Checks `--language` once; otherwise every single entry would be refused.
 * @throws UsageError when the value is not a language code
 */
export function readLanguage(raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined
  try {
    return readSetting('language', raw) as string
  } catch (error) {
    throw new UsageError(`--language ${(error as Error).message}`)
  }
}
