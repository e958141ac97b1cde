import { useWords } from '../../i18n/language.tsx'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { Flag } from '../settings/flag.tsx'
import { SettingsGroup } from '../settings/group.tsx'
import type { SignInRules } from './queries.ts'
import { useSingleSignOnWords } from './words.ts'

const HOURS_MAX = 12
const NO_ACCESS = 'none'

/** Asks who may sign in with the company account. */
export function PeopleFields(props: {
  readonly rules: SignInRules
  /** Fault of the rule that creates accounts; null without one. */
  readonly fault: string | null
  readonly onChange: (changes: Partial<SignInRules>) => void
}) {
  const { rules, fault, onChange } = props
  const { roles } = useWords()
  const { people } = useSingleSignOnWords()
  return (
    <SettingsGroup title={people.title} help={people.help}>
      <div className="field">
        <Flag
          name="create_users"
          help={people.createUsersHelp}
          isOn={rules.create_users}
          onChange={(isOn) => onChange({ create_users: isOn })}
        >
          {people.createUsers}
        </Flag>
        {fault === null ? null : (
          <p className="field-fault" role="alert">
            {fault}
          </p>
        )}
      </div>
      <Flag
        name="link_by_email"
        help={people.linkByEmailHelp}
        isOn={rules.link_by_email}
        onChange={(isOn) => onChange({ link_by_email: isOn })}
      >
        {people.linkByEmail}
      </Flag>
      {rules.link_by_email ? (
        <Flag
          name="link_proof"
          help={people.linkProofHelp}
          isOn={rules.link_proof !== false}
          onChange={(isOn) => onChange({ link_proof: isOn })}
        >
          {people.linkProof}
        </Flag>
      ) : null}
      <Select
        name="default_role"
        label={people.defaultRole}
        choices={[
          { id: NO_ACCESS, name: people.noAccess, help: people.noAccessHelp },
          { id: 'reader', name: roles.reader },
          { id: 'editor', name: roles.editor },
        ]}
        chosen={rules.default_role ?? NO_ACCESS}
        onChoose={(id) => onChange({ default_role: id === 'reader' || id === 'editor' ? id : null })}
      />
      <NumberField
        name="session_hours"
        label={people.hours}
        help={people.hoursHelp}
        unit={people.hoursUnit}
        min={1}
        max={HOURS_MAX}
        value={rules.session_hours}
        onChange={(hours) => onChange({ session_hours: hours })}
      />
    </SettingsGroup>
  )
}
