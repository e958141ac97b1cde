var e={title:`Parts`,intro:`Everything that pages are made of, in its states.`,buttons:`Buttons`,fields:`Fields`,choices:`Choices`,overlays:`Dialogs, menus, messages`,states:`States`,table:`Table`,tree:`Tree`,name:`Name`,nameHelp:`As people will see it.`,text:`Text`,kind:`Kind`,tags:`Tags`,level:`Level`,low:`Low`,high:`High`,highHelp:`Costs more.`,notify:`Tell me by mail`,publish:`Show on the website`,size:`Size`,changed:`Changed`,open:`Open dialog`,ask:`Delete`,askTitle:`Delete this article?`,askText:`You can restore it for 30 days.`,say:`Say something`,said:`The article is saved.`,fail:`Let it fail`,row:e=>`Row ${e}`,empty:`There are no articles yet.`,emptyHelp:`Write the first one, or import a folder.`,write:`Write an article`,filter:`Language: German`,markdown:`# Heading

A text with **bold**, \`code\` and a [link](https://example.com).

- one
- two

> Quoted.

| a | b |
|---|---|
| 1 | 2 |

<script>never()<\/script>

![A picture from elsewhere](https://example.com/a.png)`,first:`First`,second:`Second`};export{e as words};