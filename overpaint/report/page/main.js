// Everything starts here, in the order in which things depend on each other.
for (const link of document.querySelectorAll('nav.sections a[href^="#"]')) {
  link.hidden = document.querySelector(link.getAttribute("href")) === null;
}
startHints();
startSorting();
startBreakdowns();
startGallery(openDetail);
startDetail();
function openPlace(place, editor) {
  const at = gallery.places.indexOf(place);
  if (at >= 0) openAt(at, editor);
  else {
    byId("choices").reset();
    readChoices();
    refreshGallery();
    openAt(gallery.places.indexOf(place), editor);
  }
}
if (byId("versus")) startVersus(openPlace);
startJudges(openPlace);
startLive();
