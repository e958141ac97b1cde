import { useLanguage } from '../i18n/language.tsx'

/** A day above its time of day; `none` without a time. */
export function Moment({ iso, none }: { readonly iso: string | null; readonly none?: string }) {
  const { formats } = useLanguage()
  if (iso === null) return <span className="quiet">{none}</span>
  return (
    <time dateTime={iso} title={formats.moment(iso)}>
      {formats.day(iso)} <span className="second">{formats.timeOfDay(iso)}</span>
    </time>
  )
}

/** A day, with the time of day as a tooltip; `none` without a time. */
export function Day({ iso, none }: { readonly iso: string | null; readonly none?: string }) {
  const { formats } = useLanguage()
  if (iso === null) return <span className="quiet">{none}</span>
  return (
    <time dateTime={iso} title={formats.moment(iso)}>
      {formats.day(iso)}
    </time>
  )
}
