/** English strings of `asking`: the open question about a plan. */
export const asking = {
  errorTitle: "Couldn’t load the question",
  loading: "Loading question",
  goTo: "Go to open question",
  answer: (option: string) => `Answer the question: ${option}`,
  answered: (option: string) => `Answered: ${option}`,
  answers: "Answers",
  isDefault: "default if unanswered",
};
