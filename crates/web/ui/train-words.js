// The texts of the trainer in three languages.

const en = {
  title: "Train", idea: "Real positions near your rating. Find the step: strike candidates or place a digit. Any valid deduction counts, whatever its name.",
  tabs: { train: "Train", storm: "Storm", progress: "Progress" },
  any: "Any technique", which: "Technique", next: "Next position", check: "Check", show: "Show me", again: "Again", start: "Start the storm", stop: "Stop",
  find: (name) => `Find a step: ${name}`, place: "Place", strike: "Strike", mode: "What a key does", keys: "Digits of the selected cell",
  loading: "Looking for a position …", none: "No position can be found right now.", pick: "Select a cell of the board.",
  right: (name) => `Right: ${name}.`, unproven: "That is true, but no single step up to this level shows it. Find a reason, or choose another candidate.",
  nothing: "Choose a candidate first.", wrongPlace: (cell, digit) => `${cell} is not ${digit}.`, wrongStrike: (cell, digit) => `${cell} is ${digit}, so that candidate must stay.`,
  leads: (steps) => (steps === 0 ? "Try it, and you see it at once:" : `Try it, and after ${steps} ${steps === 1 ? "step" : "steps"}:`), checker: (text) => `The checker says: ${text}.`, shown: "The step:",
  rating: "Rating", change: (number) => `${number >= 0 ? "+" : "−"}${Math.abs(number)}`, overall: "Overall", due: (count) => `${count} to repeat`, repeat: "Repeated: you missed this one before.",
  streak: (now, best) => `${now} in a row, best ${best}`, days: (days) => `${days} ${days === 1 ? "day" : "days"} in a row`,
  stormIdea: "Three minutes, positions that get harder. A right answer counts one, a wrong one costs ten seconds. Storms do not change your rating.",
  score: (score) => `${score} solved`, best: (best) => `Best: ${best}`, over: (score, isBest) => `Time is up: ${score} solved.${isBest ? " That is your best storm." : ""}`, wrongShort: "Wrong, ten seconds less.", left: "Time left",
  technique: "Technique", answered: "Answered", rightShare: "Right", last: "Last answers", train: "Train", board: (name) => `Position, ${name}`,
  nothingYet: "Nothing is rated yet. Train a few positions first.", export: "Save as a file", exportIdea: "Everything stays in this browser. Your games’ export contains it, too.", storms: "Storms", history: "Rating after each answer",
};
const de = {
  title: "Training", idea: "Echte Stellungen nahe deiner Wertung. Finde den Schritt: Streiche Kandidaten oder setze eine Ziffer. Jede gültige Folgerung zählt, wie sie auch heißt.",
  tabs: { train: "Training", storm: "Sturm", progress: "Fortschritt" },
  any: "Beliebige Technik", which: "Technik", next: "Nächste Stellung", check: "Prüfen", show: "Zeigen", again: "Noch einmal", start: "Sturm beginnen", stop: "Beenden",
  find: (name) => `Finde einen Schritt: ${name}`, place: "Setzen", strike: "Streichen", mode: "Was eine Taste tut", keys: "Ziffern der gewählten Zelle",
  loading: "Suche eine Stellung …", none: "Gerade wurde keine Stellung gefunden.", pick: "Wähle eine Zelle.",
  right: (name) => `Richtig: ${name}.`, unproven: "Das stimmt, aber kein einzelner Schritt bis zu dieser Stufe zeigt es. Suche eine Begründung oder einen anderen Kandidaten.",
  nothing: "Wähle zuerst einen Kandidaten.", wrongPlace: (cell, digit) => `In ${cell} steht keine ${digit}.`, wrongStrike: (cell, digit) => `In ${cell} steht die ${digit}, also muss dieser Kandidat bleiben.`,
  leads: (steps) => (steps === 0 ? "Probiere es, und du siehst sofort:" : `Probiere es, und nach ${steps} ${steps === 1 ? "Schritt" : "Schritten"}:`), checker: (text) => `Der Prüfer sagt: ${text}.`, shown: "Der Schritt:",
  rating: "Wertung", change: (number) => `${number >= 0 ? "+" : "−"}${Math.abs(number)}`, overall: "Gesamt", due: (count) => `${count} zu wiederholen`, repeat: "Wiederholung: Diese hattest du verfehlt.",
  streak: (now, best) => `${now} in Folge, Rekord ${best}`, days: (days) => `${days} ${days === 1 ? "Tag" : "Tage"} in Folge`,
  stormIdea: "Drei Minuten, Stellungen, die schwerer werden. Eine richtige Antwort zählt eins, eine falsche kostet zehn Sekunden. Stürme ändern deine Wertung nicht.",
  score: (score) => `${score} gelöst`, best: (best) => `Rekord: ${best}`, over: (score, isBest) => `Die Zeit ist um: ${score} gelöst.${isBest ? " Das ist dein bester Sturm." : ""}`, wrongShort: "Falsch, zehn Sekunden weniger.", left: "Restzeit",
  technique: "Technik", answered: "Beantwortet", rightShare: "Richtig", last: "Letzte Antworten", train: "Üben", board: (name) => `Stellung, ${name}`,
  nothingYet: "Noch ist nichts gewertet. Übe zuerst ein paar Stellungen.", export: "Als Datei speichern", exportIdea: "Alles bleibt in diesem Browser. Auch der Export deiner Spiele enthält es.", storms: "Stürme", history: "Wertung nach jeder Antwort",
};
const es = {
  title: "Entrenar", idea: "Posiciones reales cerca de tu puntuación. Encuentra el paso: tacha candidatos o coloca una cifra. Cuenta cualquier deducción válida, se llame como se llame.",
  tabs: { train: "Entrenar", storm: "Tormenta", progress: "Progreso" },
  any: "Cualquier técnica", which: "Técnica", next: "Siguiente posición", check: "Comprobar", show: "Mostrar", again: "Otra vez", start: "Empezar la tormenta", stop: "Parar",
  find: (name) => `Encuentra un paso: ${name}`, place: "Colocar", strike: "Tachar", mode: "Qué hace una tecla", keys: "Cifras de la celda elegida",
  loading: "Buscando una posición …", none: "Ahora no se encuentra ninguna posición.", pick: "Elige una celda.",
  right: (name) => `Correcto: ${name}.`, unproven: "Es cierto, pero ningún paso de este nivel lo demuestra por sí solo. Busca una razón u otro candidato.",
  nothing: "Elige antes un candidato.", wrongPlace: (cell, digit) => `${cell} no es ${digit}.`, wrongStrike: (cell, digit) => `${cell} es ${digit}, así que ese candidato debe quedarse.`,
  leads: (steps) => (steps === 0 ? "Pruébalo y lo verás enseguida:" : `Pruébalo y, tras ${steps} ${steps === 1 ? "paso" : "pasos"}:`), checker: (text) => `El verificador dice: ${text}.`, shown: "El paso:",
  rating: "Puntuación", change: (number) => `${number >= 0 ? "+" : "−"}${Math.abs(number)}`, overall: "Total", due: (count) => `${count} por repetir`, repeat: "Repetición: esta se te escapó antes.",
  streak: (now, best) => `${now} seguidas, récord ${best}`, days: (days) => `${days} ${days === 1 ? "día" : "días"} seguidos`,
  stormIdea: "Tres minutos y posiciones cada vez más difíciles. Un acierto suma uno, un error cuesta diez segundos. Las tormentas no cambian tu puntuación.",
  score: (score) => `${score} resueltas`, best: (best) => `Récord: ${best}`, over: (score, isBest) => `Se acabó el tiempo: ${score} resueltas.${isBest ? " Es tu mejor tormenta." : ""}`, wrongShort: "Error, diez segundos menos.", left: "Tiempo restante",
  technique: "Técnica", answered: "Respondidas", rightShare: "Aciertos", last: "Últimas respuestas", train: "Practicar", board: (name) => `Posición, ${name}`,
  nothingYet: "Aún no hay puntuación. Entrena antes unas posiciones.", export: "Guardar como archivo", exportIdea: "Todo queda en este navegador. También está en la exportación de tus partidas.", storms: "Tormentas", history: "Puntuación tras cada respuesta",
};

const LANGUAGES = { en, de, es };
export const trainWords = () => LANGUAGES[document.documentElement.lang] ?? en;
