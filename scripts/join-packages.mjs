// A process of its own, because esbuild keeps one of its own for as long as its caller runs.
import { joinPackages } from './joined-packages.mjs'
import { root } from './runtime.mjs'

await joinPackages(root)
