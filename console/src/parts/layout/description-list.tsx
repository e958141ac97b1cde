import { Fragment, type ReactNode } from 'react'

/** Lists facts, each with its name. Null leaves a fact out. */
export function DescriptionList(props: { readonly facts: readonly (readonly [string, ReactNode] | null)[] }) {
  return (
    <dl className="description-list">
      {props.facts.map((fact) =>
        fact === null ? null : (
          <Fragment key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd className="wrap">{fact[1]}</dd>
          </Fragment>
        ),
      )}
    </dl>
  )
}
