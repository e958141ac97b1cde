var e={title:`Teile`,intro:`Alles, woraus Seiten bestehen, in seinen Zuständen.`,buttons:`Knöpfe`,fields:`Felder`,choices:`Auswahl`,overlays:`Dialoge, Menüs, Meldungen`,states:`Zustände`,table:`Tabelle`,tree:`Baum`,name:`Name`,nameHelp:`So, wie man ihn sehen wird.`,text:`Text`,kind:`Art`,tags:`Schlagwörter`,level:`Stufe`,low:`Niedrig`,high:`Hoch`,highHelp:`Kostet mehr.`,notify:`Per E-Mail benachrichtigen`,publish:`Auf der Website zeigen`,size:`Größe`,changed:`Geändert`,open:`Dialog öffnen`,ask:`Löschen`,askTitle:`Diesen Artikel löschen?`,askText:`Er lässt sich 30 Tage lang wiederherstellen.`,say:`Etwas melden`,said:`Der Artikel ist gespeichert.`,fail:`Fehlschlagen lassen`,row:e=>`Zeile ${e}`,empty:`Es gibt noch keine Artikel.`,emptyHelp:`Schreiben Sie den ersten oder importieren Sie einen Ordner.`,write:`Artikel schreiben`,filter:`Sprache: Deutsch`,markdown:`# Überschrift

Ein Text mit **Fettdruck**, \`Code\` und einem [Verweis](https://example.com).

- eins
- zwei

> Zitat.

| a | b |
|---|---|
| 1 | 2 |

<script>never()<\/script>

![Ein Bild von woanders](https://example.com/a.png)`,first:`Erstens`,second:`Zweitens`};export{e as words};