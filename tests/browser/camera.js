// The camera of a synthetic person: what it sees is drawn, and follows what the page asks for.
(() => {
  if (!navigator.mediaDevices) return;
  const pictures = /*PICTURES*/;
  const images = {};
  // Where no camera is opened, nothing is loaded.
  async function load() {
    for (const [name, address] of Object.entries(pictures)) {
      images[name] ??= Object.assign(new Image(), { src: address });
    }
    await Promise.all(Object.values(images).map((image) => image.decode()));
  }
  let shown = "front";
  let fault = "";
  const camera = { state: "granted" };

  // A card on a table, where the viewfinder wants it.
  function drawCard(context, name) {
    const { width, height } = context.canvas;
    context.fillStyle = "#5b4a3a";
    context.fillRect(0, 0, width, height);
    const image = images[name];
    if (!image) return;
    const wide = height * (4 / 3) * (fault === "far" ? 0.5 : 0.88);
    const high = (wide * image.naturalHeight) / image.naturalWidth;
    const shake = fault === "shake" ? 60 * Math.sin(performance.now() / 90) : 0;
    const [left, top] = [(width - wide) / 2 + shake, (height - high) / 2];
    context.drawImage(image, left, top, wide, high);
    if (fault === "glare") {
      context.fillStyle = "#fff";
      context.beginPath();
      context.arc(width * 0.6, height * 0.45, height * 0.12, 0, 7);
      context.fill();
    }
    if (fault === "dark") {
      context.fillStyle = "rgb(0 0 0 / 85%)";
      context.fillRect(0, 0, width, height);
    }
  }

  // A face at rest, which makes the move that the page asks for, and comes back.
  let move = "";
  let since = 0;
  function drawFace(context) {
    const { width, height } = context.canvas;
    const asked = document.querySelector("[data-move]")?.dataset.move || "look_straight";
    if (asked !== move) [move, since] = [asked, performance.now()];
    const at = performance.now() - since;
    const isMaking = asked !== "look_straight" && at > 400 && at < 1200;
    const image = images[isMaking ? asked : "look_straight"];
    const wide = height * 0.8;
    const [x, y] = [Math.random() * 2 - 1, Math.random() * 2 - 1];
    context.fillStyle = "#777";
    context.fillRect(0, 0, width, height);
    context.drawImage(image, (width - wide) / 2 + x, y, wide, height);
    // No sensor is without noise: no two frames are the same.
    for (let n = 0; n < 200; n++) {
      const level = Math.floor(Math.random() * 256);
      context.fillStyle = `rgb(${level} ${level} ${level} / 8%)`;
      context.fillRect(Math.random() * width, Math.random() * height, 3, 3);
    }
  }

  async function getUserMedia({ video }) {
    if (camera.state === "denied") throw new DOMException("", "NotAllowedError");
    if (camera.state === "none") throw new DOMException("", "NotFoundError");
    const isFace = video.facingMode.ideal === "user";
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = isFace ? [640, 480] : [1600, 1200];
    const context = canvas.getContext("2d");
    await load();
    const draw = () => (isFace ? drawFace(context) : drawCard(context, shown));
    draw();
    const stream = canvas.captureStream(15);
    const timer = setInterval(draw, 66);
    const [track] = stream.getVideoTracks();
    const stop = track.stop.bind(track);
    track.stop = () => (clearInterval(timer), stop());
    return stream;
  }
  Object.defineProperty(navigator.mediaDevices, "getUserMedia", { value: getUserMedia });
  window.camera = {
    show: (name) => (shown = name),
    spoil: (how) => (fault = how),
    set: (state) => (camera.state = state),
  };
})();
