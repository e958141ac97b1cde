import { TENANT_SETTINGS } from '../../identity/tenants/settings.ts'
import { UsageError } from './failure.ts'

/**
 * Checks what `--language` names, once: every entry would be refused for it otherwise.
 * @throws UsageError when it is no code
 */
export function readLanguage(raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined
  try {
    return TENANT_SETTINGS.language.read(raw) as string
  } catch (error) {
    throw new UsageError(`--language ${(error as Error).message}`)
  }
}
