import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type IssuedKey, type Section, usePublishKey } from '../../api/api-keys.ts'
import { sitesQuery } from '../../api/sites.ts'
import { useSession } from '../../api/use-session.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { CheckboxGroup } from '../../parts/fields/checkbox.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TagInput } from '../../parts/fields/tag-input.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { type Expiry, expiryTime } from './expiry.ts'
import { useApiKeysWords } from './words.ts'

const FIELDS = ['name', 'origins', 'sections', 'sites', 'expires_at'] as const
const NEEDED: Readonly<Record<Section, string>> = { products: 'products:read', knowledge: 'knowledge:read' }
const EXPIRIES = ['never', 'days90', 'year'] as const satisfies readonly Expiry[]

type Missing = 'name' | 'origins' | 'sections'

/** Asks for the limits of a key on web pages: the pages, the sections that it searches, and the sites. */
export function PublishableKeyForm(props: {
  readonly onIssued: (key: IssuedKey) => void
  readonly onClose: () => void
  readonly onBusy: (isBusy: boolean) => void
}) {
  const words = useWords()
  const { issueKey, publishKey } = useApiKeysWords()
  const { scopes } = useSession()
  const publish = usePublishKey()
  const offered = (['knowledge', 'products'] as const).filter((section) =>
    scopes.some((each) => each === NEEDED[section]),
  )
  const sites = useQuery(sitesQuery).data ?? []
  const [name, setName] = useState('')
  const [origins, setOrigins] = useState<readonly string[]>([])
  const [sections, setSections] = useState<readonly Section[]>([])
  const [boundSites, setBoundSites] = useState<readonly string[]>([])
  const [expiry, setExpiry] = useState<(typeof EXPIRIES)[number]>('never')
  const [missing, setMissing] = useState<readonly Missing[]>([])
  const faultOf = (field: Missing, text: string): string | null => (missing.includes(field) ? text : null)

  const submit = (): void => {
    if (publish.isPending) return
    const gaps: Missing[] = []
    if (name.trim() === '') gaps.push('name')
    if (origins.length === 0) gaps.push('origins')
    if (sections.length === 0) gaps.push('sections')
    setMissing(gaps)
    if (gaps.length > 0) return
    props.onBusy(true)
    publish.mutate(
      {
        name: name.trim(),
        origins: [...origins],
        sections: [...sections],
        sites: boundSites.length === 0 ? null : [...boundSites],
        expires_at: expiryTime(expiry, '', Date.now()) ?? null,
      },
      { onSuccess: props.onIssued, onSettled: () => props.onBusy(false) },
    )
  }

  return (
    <Form names={FIELDS} error={publish.error} onSubmit={submit}>
      <TextField
        name="name"
        label={issueKey.name}
        help={publishKey.nameHelp}
        fault={faultOf('name', issueKey.nameNeeded)}
        value={name}
        onChange={setName}
        maxLength={200}
        autoComplete="off"
        isRequired
      />
      <TagInput
        name="origins"
        label={publishKey.origins}
        help={publishKey.originsHelp}
        placeholder="https://www.example.com"
        fault={faultOf('origins', publishKey.originNeeded)}
        tags={origins}
        onChange={setOrigins}
        check={originOf}
      />
      <CheckboxGroup
        name="sections"
        label={publishKey.sections}
        fault={faultOf('sections', publishKey.sectionNeeded)}
        choices={offered.map((id) => ({ id, ...publishKey.sectionNames[id] }))}
        chosen={sections}
        onChange={setSections}
      />
      {sites.length < 2 ? null : (
        <CheckboxGroup
          name="sites"
          label={publishKey.sites}
          help={publishKey.sitesHelp}
          choices={sites.map((site) => ({ id: site.slug, name: site.name, help: site.domain ?? undefined }))}
          chosen={boundSites}
          onChange={setBoundSites}
        />
      )}
      <Select
        label={issueKey.expiry}
        chosen={expiry}
        choices={EXPIRIES.map((id) => ({ id, name: issueKey.expiries[id] }))}
        onChoose={setExpiry}
      />
      <div className="dialog-actions">
        <Button onPress={props.onClose} isDisabled={publish.isPending}>
          {words.cancel}
        </Button>
        <Button kind="main" type="submit" isPending={publish.isPending}>
          {publish.isPending ? issueKey.busy : issueKey.submit}
        </Button>
      </div>
    </Form>
  )
}

/** Returns the origin of an address as people copy it; null when the text is no address. */
function originOf(text: string): string | null {
  const url = URL.parse(/^https?:/i.test(text) ? text : `https://${text}`)
  return url === null || url.hostname === '' || !/^https?:$/.test(url.protocol) ? null : url.origin
}
