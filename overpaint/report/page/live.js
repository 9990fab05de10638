// A served page asks now and then whether the run has gone on, and offers to show it.
const ASK_EVERY = 2000;

function startLive() {
  if (deck.version === undefined) return;
  const news = byId("news");
  const ask = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch("version", { cache: "no-store" });
      const found = await answer.json();
      tell(news, found);
    } catch {
      news.replaceChildren("The server has ended.");
    }
  };
  setInterval(ask, ASK_EVERY);
  document.addEventListener("visibilitychange", ask);
}

function tell(news, found) {
  if (found.trouble) return news.replaceChildren(found.trouble);
  const done = `${counted(found.edits, "edit")}, ${counted(found.scores, "score")}`;
  if (found.version === deck.version) {
    if (news.textContent !== done) news.replaceChildren(done);
  } else if (news.dataset.version !== found.version) {
    news.dataset.version = found.version;
    news.replaceChildren(done, make("button", { type: "button", onclick: () => location.reload() }, "Show new results"));
  }
}
