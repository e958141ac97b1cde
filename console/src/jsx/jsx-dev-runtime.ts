import * as react from 'react/jsx-dev-runtime'
import { shown } from './shown.ts'

export { Fragment } from 'react/jsx-dev-runtime'
export type { JSX } from 'react/jsx-dev-runtime'

type Jsx = (type: unknown, props: object, ...others: unknown[]) => unknown
const { jsxDEV: reactJsx } = react as unknown as { readonly jsxDEV: Jsx }

/** Makes an element like `jsx`, for the server of the pages while working on them. */
export const jsxDEV: Jsx = (type, props, ...others) => reactJsx(type, shown(props), ...others)
