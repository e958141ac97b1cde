import { useSyncExternalStore } from 'react'
import { useLanguage } from '../../i18n/language.tsx'

/** Shows a day above its time of day; `none` without a time. */
export function Moment({ iso, none }: { readonly iso: string | null; readonly none?: string }) {
  const { formats } = useLanguage()
  if (iso === null) return <span className="quiet">{none}</span>
  return (
    <time dateTime={iso} title={formats.moment(iso)}>
      {formats.day(iso)} <span className="second">{formats.timeOfDay(iso)}</span>
    </time>
  )
}

/** Shows a day, with the time of day as a tooltip; `none` without a time. */
export function Day({ iso, none }: { readonly iso: string | null; readonly none?: string }) {
  const { formats } = useLanguage()
  if (iso === null) return <span className="quiet">{none}</span>
  return (
    <time dateTime={iso} title={formats.moment(iso)}>
      {formats.day(iso)}
    </time>
  )
}

/** Shows how long ago a time was, with the exact time as a tooltip. Moves on by itself. */
export function Ago({ iso }: { readonly iso: string }) {
  const { formats } = useLanguage()
  const nowMs = useMinute()
  return (
    <time dateTime={iso} title={formats.moment(iso)}>
      {formats.relative(iso, Math.max(nowMs, Date.parse(iso)))}
    </time>
  )
}

/** Returns the beginning of the present minute, in ms. Moves on by itself. */
export const useMinute = (): number => useSyncExternalStore(watchMinutes, minuteNow)

const MINUTE_MS = 60_000

const minuteNow = (): number => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS

let watchers: readonly (() => void)[] = []
let timer: ReturnType<typeof setInterval> | undefined

/** Calls the watcher each minute, by one timer for all times on the page. @returns function that ends the calls */
function watchMinutes(watcher: () => void): () => void {
  watchers = [...watchers, watcher]
  timer ??= setInterval(() => {
    for (const each of watchers) each()
  }, MINUTE_MS)
  return () => {
    watchers = watchers.filter((each) => each !== watcher)
    if (watchers.length > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
