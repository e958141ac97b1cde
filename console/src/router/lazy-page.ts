import { lazyRouteComponent } from '@tanstack/react-router'
import { lazyFile } from '../api/lazy-file.ts'

/**
 * Makes the component of a page that is fetched when a person goes to it, or points at a link to it.
 * @param load imports the page's file
 * @param name name of the component that the file exports
 */
export function lazyPage<Name extends string, Page extends Record<Name, (props: object) => React.ReactNode>>(
  load: () => Promise<Page>,
  name: Name,
) {
  return lazyRouteComponent(() => lazyFile(load), name)
}
