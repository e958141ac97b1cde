// How files and lines become entries, by the very modules of the command line. `shared.d.ts` has the types by hand: the
// console is checked more strictly than the service, and would check the service's modules as its own.
export { CategoryPaths, plainPath } from '../../../../src/channels/import/category-paths.ts'
export { judgeLevels } from '../../../../src/channels/import/folder-languages.ts'
export { layOut } from '../../../../src/channels/import/layout.ts'
export { readLine, UnusableLine } from '../../../../src/channels/import/line-entry.ts'
export { readMarkdown } from '../../../../src/channels/import/markdown-entry.ts'
export { FILE_BYTES_MAX, tooLarge, UnusableFile } from '../../../../src/channels/import/page-file.ts'
export { readSections, sectionPath } from '../../../../src/channels/import/section-pages.ts'
export { pathFault } from '../../../../src/knowledge/categories/path-names.ts'
