import type { Site } from '../../api/sites.ts'
import { Select } from './select.tsx'

/** Chooses one of the tenant's sites; shows nothing where there is only one. */
export function SiteChoice(props: {
  readonly label: string
  readonly sites: readonly Site[]
  readonly chosen: Site
  readonly onChoose: (slug: string) => void
}) {
  const { label, sites, chosen, onChoose } = props
  if (sites.length < 2) return null
  return (
    <div className="site-choice">
      <Select
        label={label}
        chosen={chosen.slug}
        choices={sites.map(({ slug, name }) => ({ id: slug, name }))}
        onChoose={onChoose}
      />
    </div>
  )
}

/** Returns the site that the address names, else the default one; null when the tenant has no site. */
export function siteNamed(sites: readonly Site[], slug: string | undefined): Site | null {
  return sites.find((site) => site.slug === slug) ?? sites.find(({ is_default: is }) => is) ?? sites[0] ?? null
}
