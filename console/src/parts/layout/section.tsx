import { type ReactNode, useId } from 'react'

/** Shows a part of a page with its own heading. */
export function Section(props: { readonly title: string; readonly help?: string; readonly children?: ReactNode }) {
  const id = useId()
  return (
    <section className="section" aria-labelledby={id}>
      <h2 id={id}>{props.title}</h2>
      {props.help === undefined ? null : <p className="intro">{props.help}</p>}
      {props.children}
    </section>
  )
}
