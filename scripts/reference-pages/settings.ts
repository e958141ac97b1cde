import { OWN_PREFIXES, TOPICS } from '../../src/config.ts'
import { MISSPELT_EDITS_MAX, MISSPELT_LENGTH_MIN } from '../../src/config/unknown-names.ts'
import { listSettings, type Setting, type Topic } from '../../src/config/setting.ts'
import { isOfTheOperator } from '../../src/identity/tenants/settings-rules.ts'
import { DEFAULT_SETTINGS, TENANT_SETTINGS } from '../../src/identity/tenants/settings.ts'
import { page, table } from './markdown.ts'

/** Returns every setting of the service and of its tenants, as Markdown. */
export function renderSettingsPage(): string {
  const prefixes = OWN_PREFIXES.map((prefix) => `\`${prefix}\``)
  const tenant = Object.entries(TENANT_SETTINGS).map(([name, { meaning, field }]) => [
    `\`${name}\``,
    `\`${field}\``,
    isOfTheOperator(field) ? `${meaning}; only the operator sets it` : meaning,
    String(DEFAULT_SETTINGS[name as keyof typeof TENANT_SETTINGS]),
  ])
  return page(
    '# Settings',
    'This page is generated from what the code declares; do not edit it. [Operations](../operations/install.md#settings) tells what to do with them.',
    '## Of the service',
    'Environment variables, read once at start. A value that is not allowed stops the start. A secret is never logged; ' +
      'keep it where only the service can read it.',
    'A name that is no setting stops the start too if',
    `- it begins with ${prefixes.slice(0, -1).join(', ')} or ${prefixes.at(-1)}, or\n` +
      `- it has ${MISSPELT_LENGTH_MIN} letters or more and differs from a setting by at most ${MISSPELT_EDITS_MAX} ` +
      'letters, as `DATADIR` does.',
    'Any other name belongs to another program and is ignored.',
    ...TOPICS.flatMap(renderTopic),
    '## Of a tenant',
    'Shown with `knowledge tenant show` and changed with `knowledge tenant set`, or by administrators of the tenant with ' +
      '`GET` and `PATCH /api/knowledge/tenant-settings`, from the next request on. What only the operator sets there is ' +
      'refused to them, and its row says so.',
    table(['Setting', 'Over HTTP', 'What it does', 'Default'], tenant),
  )
}

function renderTopic({ title, settings }: Topic): string[] {
  return [
    `### ${title}`,
    table(['Setting', 'What it does', 'Default', 'Allowed', 'Example'], listSettings(settings).map(row)),
  ]
}

function row({ name, meaning, defaultWords, allowed, isSecret, example }: Setting<unknown>): string[] {
  return [
    `\`${name}\``,
    meaning,
    defaultWords,
    isSecret ? `${allowed} (secret)` : allowed,
    example === null ? '' : `\`${example}\``,
  ]
}
