import{n as e}from"./page-BU1kj78I.js";var t=e(`en`,`Sample: bicycle workshop`,[{title:`Book a repair`,summary:`How customers get an appointment, and what we note.`,tags:[`customers`,`appointments`],content:`Customers book by telephone, in the shop or on our page.

1. Ask for the **make and model** of the bicycle and what is wrong with it.
2. Offer the next free day. Small repairs, such as a puncture, need no appointment before noon.
3. Note a telephone number. We call when the bicycle is ready, usually on the next working day.

A repair that costs more than 80 euros begins only after the customer has agreed to the price.
`},{title:`Opening hours and holidays`,summary:`When the shop and the workshop are open.`,tags:[`customers`],content:`| Day | Shop | Workshop |
|---|---|---|
| Monday to Friday | 9 to 18 | 8 to 17 |
| Saturday | 10 to 14 | closed |

Between Christmas and New Year the workshop is closed. The shop sells lights, tubes and locks on these days, too.
`},{title:`Returns and warranty`,summary:`What customers may bring back, and who pays.`,tags:[`customers`,`returns`],content:`Unused parts come back within **30 days** with the receipt. We refund the price in the way it was paid.

Frames have a warranty of five years, other parts of two. Worn parts, such as chains and brake pads, have none.
When somebody returns a bicycle with a fault, take a picture first and write it into the order.
`},{title:`Yearly inspection`,summary:`The list that every bicycle goes through.`,tags:[`workshop`,`checklist`],content:`An inspection takes 45 minutes.

- Brakes: pads at least 1 mm, levers firm, cables without rust
- Chain: measure the wear; from 0.75 % it is replaced
- Tyres: no cracks, pressure as written on the side
- Lights and bell work
- Screws of handlebar and saddle with the torque wrench

Stick the green badge on the frame and write the date on it.
`},{title:`Store batteries of e-bikes safely`,summary:`Lithium batteries in the workshop: charging, storing, damage.`,tags:[`workshop`,`safety`],content:`Batteries stay at 10 to 20 degrees and away from sunlight. Charge them only on the metal shelf, never at night.

A battery that fell, smells or is swollen goes into the **steel box in the yard** at once. Do not charge it, and call
the manufacturer. Put out a burning battery with much water and call 112.
`},{title:`Ask for leave`,summary:`How colleagues request holidays.`,tags:[`team`],content:`Write your days into the calendar and tell the workshop manager, at least two weeks ahead. From May to August
at most one mechanic is away at a time.

If you are ill, call before 8. From the third day on we need a note from your doctor.
`}]);export{t as lines};