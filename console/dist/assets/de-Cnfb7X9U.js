import{n as e}from"./page-BU1kj78I.js";var t=e(`de`,`Beispiel: Fahrradwerkstatt`,[{title:`Eine Reparatur annehmen`,summary:`Wie Kundinnen und Kunden einen Termin bekommen und was wir aufschreiben.`,tags:[`kundschaft`,`termine`],content:`Termine gibt es am Telefon, im Laden und auf unserer Seite.

1. Nach **Marke und Modell** fragen, und was nicht geht.
2. Den nächsten freien Tag anbieten. Kleines, zum Beispiel ein Plattfuß, geht vormittags ohne Termin.
3. Eine Telefonnummer aufschreiben. Wir rufen an, wenn das Rad fertig ist, meist am nächsten Werktag.

Was mehr als 80 Euro kostet, beginnt erst, wenn dem Preis zugestimmt ist.
`},{title:`Öffnungszeiten und Feiertage`,summary:`Wann Laden und Werkstatt offen sind.`,tags:[`kundschaft`],content:`| Tag | Laden | Werkstatt |
|---|---|---|
| Montag bis Freitag | 9 bis 18 Uhr | 8 bis 17 Uhr |
| Samstag | 10 bis 14 Uhr | geschlossen |

Zwischen Weihnachten und Neujahr ist die Werkstatt geschlossen. Der Laden verkauft auch dann Lichter, Schläuche und
Schlösser.
`},{title:`Rückgabe und Garantie`,summary:`Was zurückgegeben werden kann und wer bezahlt.`,tags:[`kundschaft`,`rückgabe`],content:`Unbenutzte Teile nehmen wir **30 Tage** lang mit Kassenbon zurück. Das Geld kommt auf dem Weg, auf dem bezahlt
wurde.

Auf Rahmen geben wir fünf Jahre Garantie, auf andere Teile zwei. Verschleißteile wie Ketten und Bremsbeläge haben keine.
Kommt ein Rad mit einem Fehler zurück, zuerst ein Foto machen und im Auftrag notieren.
`},{title:`Jährliche Inspektion`,summary:`Die Liste, die jedes Rad durchläuft.`,tags:[`werkstatt`,`checkliste`],content:`Eine Inspektion dauert 45 Minuten.

- Bremsen: Beläge mindestens 1 mm, Hebel fest, Züge ohne Rost
- Kette: Verschleiß messen; ab 0,75 % wird sie getauscht
- Reifen: keine Risse, Druck wie auf der Flanke angegeben
- Licht und Klingel gehen
- Schrauben von Lenker und Sattel mit dem Drehmomentschlüssel

Danach die grüne Plakette auf den Rahmen kleben und das Datum eintragen.
`},{title:`Akkus von E-Bikes sicher lagern`,summary:`Lithium-Akkus in der Werkstatt: laden, lagern, Schäden.`,tags:[`werkstatt`,`sicherheit`],content:`Akkus liegen bei 10 bis 20 Grad und nicht in der Sonne. Geladen wird nur auf dem Metallregal, nie nachts.

Ein Akku, der gefallen ist, riecht oder sich wölbt, kommt sofort in die **Stahlkiste im Hof**. Nicht laden, den
Hersteller anrufen. Einen brennenden Akku mit viel Wasser löschen und 112 rufen.
`},{title:`Urlaub beantragen`,summary:`Wie das Team freie Tage einträgt.`,tags:[`team`],content:`Die Tage in den Kalender eintragen und der Werkstattleitung sagen, mindestens zwei Wochen vorher. Von Mai bis
August ist höchstens eine Person aus der Werkstatt gleichzeitig weg.

Wer krank ist, ruft vor 8 Uhr an. Ab dem dritten Tag brauchen wir eine Bescheinigung.
`}]);export{t as lines};