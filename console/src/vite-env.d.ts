/** Files that the build replaces by their addresses. */
declare module '*.svg' {
  const address: string
  export default address
}
declare module '*.css'
declare module '*?raw' {
  const text: string
  export default text
}
