/** Files that the build turns into addresses. */
declare module '*.svg' {
  const address: string
  export default address
}
declare module '*.css'
