import { useEffect, useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { TENANT_STATES } from '../operator/states.ts'
import { useOperatorWords } from '../operator/words.ts'
import { monthsBefore } from './tenant-filters.ts'
import { useFilters } from './use-filters.ts'

const ANY = 'any'
const TYPED_MS = 200
const MONTHS = 13

/** Lets people choose which tenants are shown, and the month of their use. */
export function Filters() {
  const { formats } = useLanguage()
  const words = useOperatorWords()
  const { tenants, states } = words
  const { filters, set } = useFilters()
  const [now] = useState(() => Date.now())
  const months = monthsBefore(now, MONTHS)
  const month = filters.month ?? months[0] ?? ''
  return (
    <search className="tenant-filters">
      <FindField />
      <Select
        label={tenants.state}
        choices={[{ id: ANY, name: tenants.anyState }, ...TENANT_STATES.map((id) => ({ id, name: states[id] }))]}
        chosen={filters.state ?? ANY}
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

/** Shows the field that searches tenants during the typing. */
function FindField() {
  const { tenants } = useOperatorWords()
  const { filters, set } = useFilters()
  const [typed, setTyped] = useState(filters.q ?? '')
  const [sent, setSent] = useState(filters.q)
  const [lastAddress, setLastAddress] = useState(filters.q)
  if (filters.q !== lastAddress) {
    setLastAddress(filters.q)
    // A filter that this field has set must not replace text that was typed since; any other change, such as Back,
    // fills the field anew.
    if (filters.q !== sent) setTyped(filters.q ?? '')
  }
  useEffect(() => {
    const search = typed.trim() === '' ? undefined : typed
    if (search === filters.q) return
    const timer = setTimeout(() => {
      setSent(search)
      set({ q: search }, true)
    }, TYPED_MS)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what is typed sets the filter
  }, [typed])
  return <TextField type="search" label={tenants.find} value={typed} onChange={setTyped} />
}
