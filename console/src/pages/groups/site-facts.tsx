import type { Site } from '../../api/sites.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { useGroupsWords } from './words.ts'

/** Lists the facts of a site, without its entries. */
export function SiteFacts({ site }: { readonly site: Site }) {
  const { site: text } = useGroupsWords()
  const { formats } = useLanguage()
  return (
    <DescriptionList
      facts={[
        [text.slug, site.slug],
        site.domain === null ? null : [text.domain, site.domain],
        [text.type, text.types[site.site_type]],
        [text.language, formats.languageName(site.language)],
        site.is_default ? [text.default, text.isDefault] : null,
      ]}
    />
  )
}
