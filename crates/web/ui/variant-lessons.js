// Lessons about the techniques of puzzles with rules. The example of a lesson is a puzzle of a
// fixed seed, so it is the same for everyone, and a step of its explanation, which the checker
// accepted.

import * as api from "./api.js";
import { digitsOfLine, lineOf } from "./geometry.js";
import { ruledOf } from "./play.js";

// The puzzle of each lesson: its rules, its boxes and its seed.
const EXAMPLES = {
  "cage-combinations": ["killer", "3x3", 1], "cage-overlap": ["killer", "3x3", 1], "innies-and-outies": ["killer", "3x3", 4], "common-peer": ["killer,x", "3x3", 6], "law-of-leftovers": ["jigsaw", "3x3", 1],
  "dots-and-signs": ["kropki", "3x3", 1], palindrome: ["palindrome", "3x3", 1], thermometer: ["thermo", "3x3", 1], "whispers-line": ["whispers", "3x3", 1], "modular-line": ["modular", "3x3", 1],
  "renban-line": ["renban", "3x3", 1], quadruple: ["quadruple", "3x3", 1], arrow: ["arrow", "3x3", 2], "between-line": ["between", "3x3", 1], "little-killer": ["little-killer", "2x3", 3],
  sandwich: ["sandwich", "3x3", 2], "x-sum": ["x-sum", "3x3", 1], "skyscraper-clue": ["skyscraper", "3x3", 3], "numbered-room": ["numbered-rooms", "2x3", 1], "equal-sums": ["region-sum", "2x3", 4],
  "counting-circles": ["counting-circles", "3x3", 6],
};
export const VARIANT_LESSONS = Object.keys(EXAMPLES);

const TEXTS = {
  en: {
    tier: "Variants",
    rule: "Look at one rule alone. List the digits that its cells can still take, and ask which of them appear in some filling that keeps the rule. A candidate that appears in none can be removed.",
    "cage-combinations": "A cage has few combinations if its sum is small or large for its size: two cells with 3 are 1 and 2, three cells with 24 are 7, 8 and 9. Digits that are in no combination left can be removed, and a digit that is in all of them is somewhere in the cage.",
    "cage-overlap": "If every combination of a cage contains a digit, the cage holds that digit. Cells outside that see all its places in the cage cannot have it.",
    "innies-and-outies": "The digits of a row, a column or a box have a fixed sum, 45 on 9×9. Subtract the cages that lie inside: what is left is the sum of the cells that stick in (innies), or the difference to those that stick out (outies).",
    "common-peer": "If all places of a digit in a house, or all candidates of a cell, exclude the same candidate, it can be removed. With rules, cells see more than their row, column and box.",
    "law-of-leftovers": "Some rows contain as many cells as some regions that nearly cover them. What sticks out of the regions and what is left of the rows contain the same digits.",
    "dots-and-signs": "A dot joins two cells: consecutive digits at a white dot, a digit and its double at a black one. A candidate without a partner on the other side can be removed. Where all dots are given, a missing dot says something, too.",
    palindrome: "Cells at equal distance from the middle of a palindrome are equal: what one cannot be, the other cannot be either.",
    thermometer: "Digits increase from the bulb. The smallest candidate of a cell is greater than that of the cell before it, and the largest smaller than that of the cell after it.",
    "whispers-line": "Neighbours differ by at least five on 9×9, so low and high digits alternate and 5 cannot be on the line.",
    "modular-line": "Three cells in a row have different remainders by 3, so the classes 147, 258 and 369 repeat along the line.",
    "renban-line": "The digits are consecutive in any order: two of them differ by less than the length of the line.",
    quadruple: "The digits in the circle must find room in the four cells. If only as many cells are left as digits are missing, nothing else goes there.",
    arrow: "The circle is at least the smallest possible sum of the shaft, and no digit on the shaft is larger than the circle leaves room for.",
    "between-line": "Digits on the line lie strictly between its circles, so neither 1 nor 9 is on it, and the circles are far enough apart.",
    "little-killer": "The sum of a diagonal, with repetition where cells do not see each other, bounds each of its cells.",
    sandwich: "Between 1 and the largest digit lies a given sum. It tells how far apart they can be, and so where each of them can be.",
    "x-sum": "The first digit tells how many digits are added. A small sum needs a small first digit, a large sum a large one.",
    "skyscraper-clue": "A greater digit hides smaller ones behind it. A clue as large as the side means that all digits increase, a clue of 1 that the largest is first.",
    "numbered-room": "The first digit names the room of the clue's digit: pair each first digit with the place that it names.",
    "equal-sums": "All parts of the line have the same sum. The part with the narrowest range of sums limits all others.",
    "counting-circles": "The digits that appear in circles add up to the number of circles, because each appears as often as it says.",
  },
  de: {
    tier: "Varianten",
    rule: "Betrachte eine Regel allein. Welche Ziffern können in ihren Zellen noch stehen, und welche davon kommen in einer Füllung vor, die die Regel einhält? Ein Kandidat, der in keiner vorkommt, fällt weg.",
    "cage-combinations": "Ein Käfig hat wenige Kombinationen, wenn seine Summe für seine Größe klein oder groß ist: Zwei Zellen mit 3 sind 1 und 2, drei Zellen mit 24 sind 7, 8 und 9. Ziffern in keiner Kombination fallen weg, und eine Ziffer in allen steht irgendwo im Käfig.",
    "cage-overlap": "Enthält jede Kombination eines Käfigs eine Ziffer, so steht sie im Käfig. Zellen außerhalb, die alle ihre Plätze im Käfig sehen, können sie nicht haben.",
    "innies-and-outies": "Die Ziffern einer Zeile, einer Spalte oder eines Blocks haben eine feste Summe, bei 9×9 ist sie 45. Ziehe die Käfige ab, die darin liegen: Übrig bleibt die Summe der Zellen, die hereinragen, oder der Unterschied zu denen, die herausragen.",
    "common-peer": "Schließen alle Plätze einer Ziffer in einem Haus, oder alle Kandidaten einer Zelle, denselben Kandidaten aus, so fällt er weg. Mit Regeln sehen Zellen mehr als ihre Zeile, Spalte und ihren Block.",
    "law-of-leftovers": "Einige Zeilen enthalten so viele Zellen wie einige Gebiete, die sie fast bedecken. Was aus den Gebieten herausragt und was von den Zeilen übrig ist, enthält die gleichen Ziffern.",
    "dots-and-signs": "Ein Punkt verbindet zwei Zellen: bei Weiß aufeinanderfolgende Ziffern, bei Schwarz eine Ziffer und ihr Doppeltes. Ein Kandidat ohne Partner auf der anderen Seite fällt weg. Sind alle Punkte angegeben, sagt auch ein fehlender etwas.",
    palindrome: "Zellen mit gleichem Abstand zur Mitte eines Palindroms sind gleich: Was die eine nicht sein kann, kann auch die andere nicht sein.",
    thermometer: "Die Ziffern steigen von der Kugel an. Der kleinste Kandidat einer Zelle ist größer als der der Zelle davor, der größte kleiner als der der Zelle danach.",
    "whispers-line": "Nachbarn unterscheiden sich bei 9×9 um mindestens fünf, also wechseln sich niedrige und hohe Ziffern ab, und die 5 steht nicht auf der Linie.",
    "modular-line": "Drei Zellen in Folge haben verschiedene Reste bei Division durch 3, also wiederholen sich die Klassen 147, 258 und 369.",
    "renban-line": "Die Ziffern folgen in beliebiger Reihenfolge aufeinander: Zwei von ihnen unterscheiden sich um weniger als die Länge der Linie.",
    quadruple: "Die Ziffern im Kreis brauchen Platz in den vier Zellen. Sind nur so viele Zellen übrig, wie Ziffern fehlen, kommt nichts anderes dorthin.",
    arrow: "Der Kreis ist mindestens die kleinste mögliche Summe des Schafts, und keine Ziffer auf dem Schaft ist größer, als der Kreis Platz lässt.",
    "between-line": "Ziffern auf der Linie liegen echt zwischen ihren Kreisen, also steht dort weder 1 noch 9, und die Kreise liegen weit genug auseinander.",
    "little-killer": "Die Summe einer Diagonale, mit Wiederholungen, wo Zellen sich nicht sehen, begrenzt jede ihrer Zellen.",
    sandwich: "Zwischen der 1 und der größten Ziffer liegt eine gegebene Summe. Sie sagt, wie weit die beiden auseinander sein können und wo jede stehen kann.",
    "x-sum": "Die erste Ziffer sagt, wie viele Ziffern addiert werden. Eine kleine Summe braucht eine kleine erste Ziffer, eine große eine große.",
    "skyscraper-clue": "Eine größere Ziffer verdeckt kleinere hinter ihr. Eine Zahl so groß wie die Seite heißt, dass alle Ziffern ansteigen, eine 1, dass die größte vorn steht.",
    "numbered-room": "Die erste Ziffer nennt das Zimmer der Ziffer am Rand: Ordne jeder ersten Ziffer den Platz zu, den sie nennt.",
    "equal-sums": "Alle Teile der Linie haben die gleiche Summe. Der Teil mit dem engsten Bereich begrenzt alle anderen.",
    "counting-circles": "Die Ziffern in den Kreisen ergeben zusammen die Zahl der Kreise, weil jede so oft vorkommt, wie sie sagt.",
  },
  es: {
    tier: "Variantes",
    rule: "Mira una sola regla. Anota las cifras que aún caben en sus celdas y pregunta cuáles aparecen en algún relleno que la cumpla. Un candidato que no aparece en ninguno se elimina.",
    "cage-combinations": "Una jaula tiene pocas combinaciones si su suma es pequeña o grande para su tamaño: dos celdas con 3 son 1 y 2, tres celdas con 24 son 7, 8 y 9. Las cifras que no están en ninguna combinación se eliminan, y la que está en todas está en la jaula.",
    "cage-overlap": "Si todas las combinaciones de una jaula contienen una cifra, la jaula la tiene. Las celdas de fuera que ven todos sus lugares en la jaula no pueden tenerla.",
    "innies-and-outies": "Las cifras de una fila, columna o bloque tienen una suma fija, 45 en 9×9. Resta las jaulas que están dentro: queda la suma de las celdas que entran, o la diferencia con las que salen.",
    "common-peer": "Si todos los lugares de una cifra en una casa, o todos los candidatos de una celda, excluyen el mismo candidato, este se elimina. Con reglas, las celdas ven más que su fila, columna y bloque.",
    "law-of-leftovers": "Algunas filas contienen tantas celdas como algunas regiones que casi las cubren. Lo que sobresale de las regiones y lo que queda de las filas contienen las mismas cifras.",
    "dots-and-signs": "Un punto une dos celdas: cifras consecutivas si es blanco, una cifra y su doble si es negro. Un candidato sin pareja al otro lado se elimina. Si están todos los puntos, uno que falta también dice algo.",
    palindrome: "Las celdas a igual distancia del centro de un palíndromo son iguales: lo que una no puede ser, tampoco la otra.",
    thermometer: "Las cifras crecen desde el bulbo. El menor candidato de una celda es mayor que el de la anterior, y el mayor, menor que el de la siguiente.",
    "whispers-line": "Las vecinas difieren al menos en cinco en 9×9, así que alternan cifras bajas y altas y el 5 no está en la línea.",
    "modular-line": "Tres celdas seguidas tienen restos distintos al dividir por 3, así que las clases 147, 258 y 369 se repiten.",
    "renban-line": "Las cifras son consecutivas en cualquier orden: dos de ellas difieren en menos que la longitud de la línea.",
    quadruple: "Las cifras del círculo necesitan sitio en las cuatro celdas. Si quedan tantas celdas como cifras faltan, no cabe nada más.",
    arrow: "El círculo es al menos la menor suma posible de la flecha, y ninguna cifra de la flecha supera lo que el círculo permite.",
    "between-line": "Las cifras de la línea están estrictamente entre sus círculos: no hay ni 1 ni 9, y los círculos están bastante separados.",
    "little-killer": "La suma de una diagonal, con repeticiones donde las celdas no se ven, limita cada una de sus celdas.",
    sandwich: "Entre el 1 y la cifra mayor hay una suma dada. Dice a qué distancia pueden estar y dónde cabe cada uno.",
    "x-sum": "La primera cifra dice cuántas se suman. Una suma pequeña necesita una primera cifra pequeña, una grande, una grande.",
    "skyscraper-clue": "Una cifra mayor tapa a las menores de detrás. Un número igual al lado dice que todas crecen; un 1, que la mayor está delante.",
    "numbered-room": "La primera cifra nombra la habitación de la cifra del margen: une cada primera cifra con el lugar que nombra.",
    "equal-sums": "Todas las partes de la línea suman lo mismo. La parte con menos sumas posibles limita a las demás.",
    "counting-circles": "Las cifras que aparecen en círculos suman el número de círculos, porque cada una aparece tantas veces como dice.",
  },
};

// An example puzzle for a technique, its boxes and rules, and the steps of its explanation, each with
// the position before it. Another seed gives another puzzle.
export async function example(slug, language, seed = EXAMPLES[slug][2], signal) {
  const [kinds, boxes] = EXAMPLES[slug];
  const made = await api.generate({ rules: kinds, boxes, seed }, signal);
  const explained = await api.explain({ puzzle: made.puzzle, language }, signal);
  const { puzzle, rules } = ruledOf(made.puzzle);
  const side = Math.round(Math.sqrt(puzzle.length));
  const digits = digitsOfLine(explained.start, side);
  const steps = explained.steps.map((step) => {
    const grid = lineOf(digits);
    for (const { index, digit } of step.places) digits[index] = digit;
    return { ...step, grid };
  });
  return { puzzle, boxes: rules.boxes ?? `1x${side}`, rules, steps };
}

// The lesson in the form of the library's lessons; null if there is none about this technique.
export async function lessonOf(slug, language) {
  if (!EXAMPLES[slug]) return null;
  const texts = TEXTS[language] ?? TEXTS.en;
  const { steps, ...puzzle } = await example(slug, language);
  const step = steps.find((one) => one.slug === slug);
  if (!step) return null;
  const board = { ...puzzle, grid: step.grid, candidates: step.candidates, steps: [step] };
  return { name: step.technique, slug, tier: texts.tier, paragraphs: [texts[slug], texts.rule], boards: [board] };
}
