/** English: every string of the page, by the feature that shows it. A second language is a folder beside this one, with the same keys. */
import { app } from "./app";
import { approve } from "./approve";
import { asking } from "./asking";
import { bar } from "./bar";
import { changes } from "./changes";
import { components } from "./components";
import { conflicts } from "./conflicts";
import { errors } from "./errors";
import { expansion } from "./expansion";
import { findings } from "./findings";
import { first } from "./first";
import { graph } from "./graph";
import { header } from "./header";
import { history } from "./history";
import { inbox } from "./inbox";
import { insights } from "./insights";
import { keys } from "./keys";
import { outline } from "./outline";
import { palette } from "./palette";
import { plans } from "./plans";
import { print } from "./print";
import { receipt } from "./receipt";
import { review } from "./review";
import { routes } from "./routes";
import { run } from "./run";
import { runCards } from "./runCards";
import { search } from "./search";
import { settings } from "./settings";
import { share } from "./share";
import { source } from "./source";
import { talk } from "./talk";
import { task } from "./task";
import { templates } from "./templates";
import { tour } from "./tour";

export const en = {
  app,
  approve,
  asking,
  bar,
  changes,
  components,
  conflicts,
  errors,
  expansion,
  findings,
  first,
  graph,
  header,
  history,
  inbox,
  insights,
  keys,
  outline,
  palette,
  plans,
  print,
  receipt,
  review,
  routes,
  run,
  runCards,
  search,
  settings,
  share,
  source,
  talk,
  task,
  templates,
  tour,
};
