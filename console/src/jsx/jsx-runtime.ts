import * as react from 'react/jsx-runtime'
import { shown } from './shown.ts'

// What the compiler makes of JSX in these pages (`jsxImportSource` in tsconfig.json), in place of React's own functions.

export { Fragment } from 'react/jsx-runtime'
export type { JSX } from 'react/jsx-runtime'

/** Makes an element whose texts are harmless. */
export const jsx: typeof react.jsx = (type, props, key) => react.jsx(type, shown(props as object), key)

/** Makes an element like `jsx`, with children that do not change. */
export const jsxs: typeof react.jsxs = (type, props, key) => react.jsxs(type, shown(props as object), key)
