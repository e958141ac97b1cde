import { type ReactNode, useId } from 'react'

/** Shows settings that belong together, with an explanation beside them. */
export function SettingsGroup(props: { readonly title: string; readonly help: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section className="settings-group" aria-labelledby={id}>
      <div>
        <h2 id={id}>{props.title}</h2>
        <p className="help">{props.help}</p>
      </div>
      <div className="settings-fields">{props.children}</div>
    </section>
  )
}
