import { useEffect, useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { TENANT_STATES } from '../operator/states.ts'
import { useOperatorWords } from '../operator/words.ts'
import { monthsBefore } from './asked.ts'
import { useFilters } from './use-filters.ts'

const ANY = 'any'
const TYPED_MS = 200
const MONTHS = 13

/** Which tenants are shown, and the month whose use is. */
export function Filters() {
  const { formats } = useLanguage()
  const words = useOperatorWords()
  const { tenants, states } = words
  const { asked, set } = useFilters()
  const [now] = useState(() => Date.now())
  const months = monthsBefore(now, MONTHS)
  const month = asked.month ?? months[0] ?? ''
  return (
    <search className="tenant-filters">
      <FindField />
      <Select
        label={tenants.state}
        choices={[{ id: ANY, name: tenants.anyState }, ...TENANT_STATES.map((id) => ({ id, name: states[id] }))]}
        chosen={asked.state ?? ANY}
        onChoose={(id) => set({ state: TENANT_STATES.find((each) => each === id) })}
      />
      <Select
        label={tenants.month}
        choices={[...new Set([...months, month])].map((id) => ({ id, name: formats.month(id) }))}
        chosen={month}
        onChoose={(id) => set({ month: id === months[0] ? undefined : id })}
      />
    </search>
  )
}

/** Finds tenants while somebody types. */
function FindField() {
  const { tenants } = useOperatorWords()
  const { asked, set } = useFilters()
  const [typed, setTyped] = useState(asked.q ?? '')
  const [sent, setSent] = useState(asked.q)
  const [known, setKnown] = useState(asked.q)
  if (asked.q !== known) {
    setKnown(asked.q)
    // What this field has sent must not take away what was typed since; anything else, such as Back, fills it anew.
    if (asked.q !== sent) setTyped(asked.q ?? '')
  }
  useEffect(() => {
    const wanted = typed.trim() === '' ? undefined : typed
    if (wanted === asked.q) return
    const timer = setTimeout(() => {
      setSent(wanted)
      set({ q: wanted }, true)
    }, TYPED_MS)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what is typed sets the filter
  }, [typed])
  return <TextField type="search" label={tenants.find} value={typed} onChange={setTyped} />
}
