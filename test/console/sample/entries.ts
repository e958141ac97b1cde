interface SampleEntry {
  readonly title: string
  readonly category: readonly string[]
  readonly language: string
  readonly visibility: string
  readonly tags: readonly string[]
  readonly summary?: string
  readonly content: string
  /** Title of the entry that this one translates. */
  readonly translates?: string
}

/** Articles of a shop for tools and gardens. */
export const SAMPLE_ENTRIES: readonly SampleEntry[] = [
  {
    title: 'Rücksendung und Erstattung',
    category: ['Kundenservice', 'Bestellungen'],
    language: 'de',
    visibility: 'public',
    tags: ['retoure', 'erstattung'],
    summary: 'Wie Kundinnen und Kunden Ware zurückgeben und wann sie ihr Geld zurückbekommen.',
    content: `Wer mit seiner Bestellung nicht zufrieden ist, kann sie innerhalb von 30 Tagen zurücksenden.

## Ablauf

1. Im Kundenkonto unter **Bestellungen** die Rücksendung anmelden.
2. Das Etikett ausdrucken und auf das Paket kleben.
3. Das Paket in einer Filiale abgeben. Die Quittung aufheben.

## Erstattung

Sobald das Paket im Lager geprüft ist, erstatten wir den Betrag auf dem Weg, auf dem bezahlt wurde.

| Zahlungsart | Dauer |
|---|---|
| PayPal | 1 bis 2 Werktage |
| Kreditkarte | 3 bis 5 Werktage |
| Überweisung | 5 bis 7 Werktage |

## Ausnahmen

- Zugeschnittene Ware, zum Beispiel Arbeitsplatten, nehmen wir nicht zurück.
- Bei **Akkus und Batterien** gelten die Regeln für Gefahrgut.

> Wenn ein Paket beschädigt ankommt, bitte vor dem Öffnen ein Foto machen.
`,
  },
  {
    title: 'Returns and refunds',
    category: ['Kundenservice', 'Bestellungen'],
    language: 'en',
    visibility: 'public',
    tags: ['returns', 'refund'],
    translates: 'Rücksendung und Erstattung',
    content: `Customers may return an order within 30 days.

## How it works

1. Register the return in the customer account under **Orders**.
2. Print the label and put it on the parcel.
3. Hand the parcel in at a branch and keep the receipt.

## Refunds

We refund the amount as soon as the warehouse has checked the parcel.
`,
  },
  {
    title: 'Lieferzeiten und Versandkosten',
    category: ['Kundenservice', 'Bestellungen'],
    language: 'de',
    visibility: 'public',
    tags: ['versand', 'lieferung'],
    content: `Lagerware liefern wir in zwei bis drei Werktagen. Ab einem Bestellwert von 50 Euro ist der Versand kostenlos.

## Sperrgut

Für Sperrgut, zum Beispiel Gartenhäuser, vereinbart die Spedition einen Termin mit Ihnen.
`,
  },
  {
    title: 'Garantie bei Akkuschraubern',
    category: ['Kundenservice', 'Garantie'],
    language: 'de',
    visibility: 'public',
    tags: ['garantie', 'akku'],
    content: `Auf Akkuschrauber geben die Hersteller zwei bis drei Jahre Garantie. Der Akku selbst ist ein Verschleißteil.

## Was im Garantiefall nötig ist

- Kaufbeleg
- Seriennummer des Geräts
- eine kurze Beschreibung des Fehlers
`,
  },
  {
    title: 'Rasenmäher überwintern',
    category: ['Ratgeber', 'Garten'],
    language: 'de',
    visibility: 'public',
    tags: ['garten', 'rasenmäher', 'winter'],
    content: `Bevor der Rasenmäher in den Winterschlaf geht, wird er gereinigt und trocken gelagert.

## Benzinmäher

Lassen Sie den Tank leer laufen. Altes Benzin verharzt den Vergaser.

## Akkumäher

Lagern Sie den Akku halb geladen bei 5 bis 15 Grad.
`,
  },
  {
    title: 'Hochbeet richtig befüllen',
    category: ['Ratgeber', 'Garten'],
    language: 'de',
    visibility: 'public',
    tags: ['garten', 'hochbeet'],
    content: `Ein Hochbeet besteht aus vier Schichten: Äste, Laub, Kompost und Pflanzerde.

## Schichten

1. 25 cm Äste und Zweige
2. 15 cm Laub und Grasschnitt
3. 15 cm halbreifer Kompost
4. 20 cm Pflanzerde
`,
  },
  {
    title: 'Urlaubsantrag stellen',
    category: ['Personal'],
    language: 'de',
    visibility: 'internal',
    tags: ['urlaub', 'personal'],
    content: `Urlaub beantragen Sie im Personalportal, spätestens vier Wochen vorher.

## Vertretung

Nennen Sie im Antrag, wer Sie vertritt. Ohne Vertretung wird der Antrag nicht genehmigt.
`,
  },
  {
    title: 'Reisekosten abrechnen',
    category: ['Personal'],
    language: 'de',
    visibility: 'internal',
    tags: ['reise', 'kosten'],
    content: `Reisekosten rechnen Sie innerhalb von vier Wochen ab. Belege werden als Foto hochgeladen.

- Bahn: zweite Klasse
- Hotel: bis 120 Euro je Nacht
- Verpflegung: die gesetzlichen Pauschalen
`,
  },
  {
    title: 'Preisverhandlung mit Lieferanten',
    category: ['Einkauf'],
    language: 'de',
    visibility: 'restricted',
    tags: ['einkauf', 'verhandlung'],
    content: `Diese Seite fasst zusammen, welche Rabatte in den Jahresgesprächen erreicht wurden.

## Rahmen

Unter der Marge von 18 Prozent wird kein Rahmenvertrag verlängert.
`,
  },
  {
    title: 'Beschwerden beantworten',
    category: ['Kundenservice'],
    language: 'de',
    visibility: 'workspace',
    tags: ['beschwerde', 'tonfall'],
    content: `Eine Beschwerde beantworten wir am selben Tag. Erst Verständnis zeigen, dann die Lösung nennen.

## Textbaustein

> Es tut uns leid, dass Ihre Lieferung nicht vollständig war. Die fehlenden Teile sind schon unterwegs.
`,
  },
]
