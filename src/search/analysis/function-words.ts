/**
 * Lists function words, which say nothing about the subject of a query: articles, pronouns, prepositions, conjunctions,
 * auxiliaries, question words, and phrases of asking ("gibt es", "can you show me").
 */

/** German function words, folded. */
export const GERMAN_FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus
  bei beim bevor bin bis bist bitte da dabei dadurch dafuer dagegen daher damit danach dann daran darauf daraus darf
  darfst darin darueber darum darunter das dass davon davor dazu dein deine deinem deinen deiner deines dem den denen
  denn der deren derer des deshalb dessen dich die dies diese diesem diesen dieser dieses dir doch dort du duerfen
  durch eben ein eine einem einen einer eines er es etwa etwas euch euer eure eurem euren eurer eures fuer
  gegen gegenueber geht gewesen gibt hab habe haben habt hast hat hatte hatten hattest haette haetten hier hin hinter
  ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins inwiefern ist ja jede jedem jeden jeder jedes
  jemand jene jenem jenen jener jenes kann kannst koennen koennt koennte koennten man mal mein meine meinem meinen
  meiner meines mich mir mit moechte moechten muss musst muessen muesste nach nachdem neben nein nicht nichts noch nun
  nur ob obwohl oder ohne passen passt pro sehr sein seine seinem seinen seiner seines seit sich sie sind so sodass sogar solche
  solchem solchen solcher solches soll sollen sollte sollten sondern sonst soviel sowie statt ueber um und uns unser
  unsere unserem unseren unserer unseres unter vom von vor waehrend wann war waere waeren waren warum was weil welche
  welchem welchen welcher welches wem wen wenn wer werde werden wessen weshalb wie wieso wieviel will wir wird wirst
  wo wobei wodurch wofuer woher wohin womit woran worauf woraus worin worueber worum wovon wozu wurde wurden wuerde
  wuerden zu zum zur zwischen`.split(/\s+/),
)

/** English function words, folded. */
export const ENGLISH_FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about after against all also am an and any are aren as at be because been before being between both but by can
  cannot could couldn did didn do does doesn doing don during each either else for from had hadn has hasn have haven
  having he her here hers herself him himself his how however i if in into is isn it its itself just may me might
  mine must my myself no nor not of off on onto or other our ours ourselves out over own per please shall she should
  shouldn so some such than that the their theirs them themselves then there these they this those through to too
  under until upon us very via was wasn we were weren what when where whether which while who whom whose why will
  with within without won would wouldn yet you your yours yourself`.split(/\s+/),
)

/** Letters behind the apostrophe of a contraction: "user's", "don't", "we'll", "geht's". */
export const CONTRACTIONS: ReadonlySet<string> = new Set(['d', 'll', 'm', 're', 's', 't', 've'])

/** Function words of one language that are ordinary words in the other, and so are evidence for neither. */
export const AMBIGUOUS_WORDS: ReadonlySet<string> = new Set(
  `ab all also am an as at bin can dem den denn der des die dies dir do don else er hat he her hier in ins into it
  just man may me mine mir mit must no not nun ob off on or over own per pro sein so sonst statt us via wand war was
  were will`.split(/\s+/),
)
