import { useLanguage } from '../../i18n/language.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import type { TenantSettings } from './queries.ts'
import { settingName, settingText } from './setting-text.ts'
import { useSettingsWords } from './words.ts'

/**
 * Shows the settings that another person has changed since the page was opened, and which of them were changed here as
 * well.
 */
export function Conflict(props: {
  readonly theirs: readonly (keyof TenantSettings)[]
  readonly stored: TenantSettings
  readonly mine: TenantSettings
  readonly changed: readonly (keyof TenantSettings)[]
}) {
  const { theirs, stored, mine, changed } = props
  const { formats } = useLanguage()
  const words = useSettingsWords()
  if (theirs.length === 0) return null
  return (
    <Notice tone="warning" role="alert">
      <p>
        <strong>{words.conflict}</strong>
      </p>
      <ul>
        {theirs.map((name) => {
          const theirText = settingText(name, stored[name], words, formats)
          return (
            <li key={name}>
              {changed.includes(name)
                ? words.conflictYours(
                    settingName(name, words),
                    theirText,
                    settingText(name, mine[name], words, formats),
                  )
                : words.conflictTheirs(settingName(name, words), theirText)}
            </li>
          )
        })}
      </ul>
      {changed.length === 0 ? null : <p>{words.conflictHelp}</p>}
    </Notice>
  )
}
