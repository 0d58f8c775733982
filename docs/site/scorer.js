// Ranks the results of the search: as Sphinx does, but of equal results, guides and rules come first.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: ([page, , , , score]) =>
    score + (page.startsWith("how-to/") ? 2 : page.startsWith("rules/") ? 1 : 0),
};
