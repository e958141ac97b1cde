/** Style of the reference page: one column on a phone, contents at the side on a desk, light and dark. */
export const DOCS_STYLE = `
:root{color-scheme:light dark;--text:light-dark(#1b1f24,#e6e9ed);--soft:light-dark(#57606a,#9aa4af);
--ground:light-dark(#fff,#14171a);--raised:light-dark(#f5f7f9,#1d2125);--line:light-dark(#d8dee4,#343a40);
--link:light-dark(#0550ae,#7db7ff)}
*{box-sizing:border-box}
body{margin:0;color:var(--text);background:var(--ground);font:16px/1.55 system-ui,sans-serif}
a{color:var(--link)}
a:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99em}.skip:focus{left:1em;top:1em;background:var(--ground);padding:.5em}
nav{padding:1rem 1.5rem;border-bottom:1px solid var(--line);background:var(--raised)}
nav h2{font-size:1rem;margin:0 0 .5rem}
nav ul{list-style:none;margin:0;padding:0}nav ul ul{padding-left:1rem;font-size:.9rem}nav li{margin:.2rem 0}
nav a{text-decoration:none}nav a:hover{text-decoration:underline}
main{padding:1rem 1.5rem;max-width:62rem}
article{margin:1.5rem 0 2.5rem}
h1,h2,h3{line-height:1.25;scroll-margin-top:1rem}h2{margin-top:3rem;border-bottom:1px solid var(--line);padding-bottom:.3rem}
code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}
.call{background:var(--raised);border:1px solid var(--line);border-radius:.4rem;padding:.5rem .75rem}
.call b{font:600 .85rem ui-monospace,monospace;margin-right:.5rem}
.scope,small,caption{color:var(--soft)}
.table{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;width:100%;font-size:.925rem}
caption{text-align:left;padding-bottom:.3rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);font-weight:400}
thead th{font-weight:600}
@media(min-width:64rem){body{display:grid;grid-template-columns:19rem 1fr}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;border:0;border-right:1px solid var(--line)}}
@media print{nav{display:none}body{display:block}}
`
