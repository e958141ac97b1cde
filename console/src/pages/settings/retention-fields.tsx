import { NumberField } from '../../parts/fields/number-field.tsx'
import { Flag } from './flag.tsx'
import { SettingsGroup } from './group.tsx'
import type { Settings } from './queries.ts'
import { useSettingsWords } from './words.ts'

/** Asks which data is kept, and for how long. */
export function RetentionFields(props: {
  readonly settings: Settings
  readonly onChange: (changes: Partial<Settings>) => void
}) {
  const { settings, onChange } = props
  const { fields, retention, daysUnit } = useSettingsWords()
  return (
    <SettingsGroup title={retention.title} help={retention.help}>
      <NumberField
        name="bin_days"
        label={fields.bin_days}
        help={retention.binHelp}
        unit={daysUnit}
        min={0}
        max={365}
        value={settings.bin_days}
        onChange={(days) => onChange({ bin_days: days })}
      />
      <NumberField
        name="version_days"
        label={fields.version_days}
        help={retention.versionHelp}
        unit={daysUnit}
        min={0}
        max={3_650}
        value={settings.version_days}
        onChange={(days) => onChange({ version_days: days })}
      />
      <NumberField
        name="audit_days"
        label={fields.audit_days}
        help={retention.auditHelp}
        unit={daysUnit}
        min={30}
        max={3_650}
        value={settings.audit_days}
        onChange={(days) => onChange({ audit_days: days })}
      />
      <Flag
        name="search_log"
        help={retention.searchLogHelp}
        isOn={settings.search_log}
        onChange={(isOn) => onChange({ search_log: isOn })}
      >
        {fields.search_log}
      </Flag>
      <Flag
        name="search_log_queries"
        help={retention.queriesHelp}
        isOn={settings.search_log_queries === 'keep'}
        onChange={(isOn) => onChange({ search_log_queries: isOn ? 'keep' : 'none' })}
      >
        {fields.search_log_queries}
      </Flag>
      <NumberField
        name="search_log_days"
        label={fields.search_log_days}
        help={retention.logDaysHelp}
        unit={daysUnit}
        min={1}
        max={3_650}
        value={settings.search_log_days}
        onChange={(days) => onChange({ search_log_days: days })}
      />
      <Flag
        name="click_learning"
        help={retention.learningHelp}
        isOn={settings.click_learning}
        onChange={(isOn) => onChange({ click_learning: isOn })}
      >
        {fields.click_learning}
      </Flag>
      <Flag
        name="trusted_visitors"
        help={retention.trustedHelp}
        isOn={settings.trusted_visitors}
        onChange={(isOn) => onChange({ trusted_visitors: isOn })}
      >
        {fields.trusted_visitors}
      </Flag>
    </SettingsGroup>
  )
}
