import { useQuery } from '@tanstack/react-query'
import { sitesQuery } from '../../api/sites.ts'
import { useMay } from '../../api/use-session.ts'
import { Select } from '../../parts/fields/select.tsx'
import { DEFAULT_DAYS, PERIODS, SECTIONS } from './choices.ts'
import { useChoices } from './use-choices.ts'
import { useInsightsWords } from './words.ts'

const ANY = 'any'

/** Lets people choose the searches that count. */
export function Filters() {
  const words = useInsightsWords()
  const { choices, choose } = useChoices()
  const sites = useQuery({ ...sitesQuery, enabled: useMay('sites:read') })
  const { days = DEFAULT_DAYS, section, site } = choices
  return (
    <div role="group" aria-label={words.filters} className="insights-filters">
      <Select
        label={words.period}
        chosen={String(days)}
        choices={PERIODS.map((each) => ({ id: String(each), name: words.periods[each] }))}
        onChoose={(id) => {
          const chosen = PERIODS.find((each) => String(each) === id)
          choose({ days: chosen === DEFAULT_DAYS ? undefined : chosen })
        }}
      />
      <Select
        label={words.section}
        chosen={section ?? ANY}
        choices={[
          { id: ANY, name: words.anySection },
          ...SECTIONS.map((each) => ({ id: each, name: words.sections[each] })),
        ]}
        onChoose={(id) => choose({ section: SECTIONS.find((each) => each === id) })}
      />
      {(sites.data ?? []).length === 0 ? null : (
        <Select
          label={words.site}
          chosen={site ?? ANY}
          choices={[{ id: ANY, name: words.anySite }, ...(sites.data ?? []).map(({ id, name }) => ({ id, name }))]}
          onChoose={(id) => choose({ site: id === ANY ? undefined : id })}
        />
      )}
    </div>
  )
}
